"""Tables, plots and pages out of the analysis layer's frames. Nothing here computes."""
