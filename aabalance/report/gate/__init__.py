"""The gate's files: `read` reads its claims, `accepted` reads and writes accepted numbers, `outputs` writes verdicts.

Claims are judged in `aabalance.analysis.claims`.
"""
