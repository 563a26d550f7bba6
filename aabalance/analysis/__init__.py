"""From results to tidy tables: matchups, cost effectiveness, first requisition, sensitivity. pandas starts here."""
