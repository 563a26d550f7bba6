"""What `aabalance bench` measures, and the baselines that it measures against."""
