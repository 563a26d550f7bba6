"""Schemas of what people write in files and options of matches."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Keys(BaseModel):
    """Keys of which none may be unknown, and that stay as they were read."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class StrictKeys(Keys):
    """Keys whose values have to be of the right type, so that no text is read as a number."""

    model_config = ConfigDict(strict=True)
