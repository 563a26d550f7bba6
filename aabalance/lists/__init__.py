"""Lists under a budget: what they score against each other, the best ones, and the mix that nobody can exploit."""
