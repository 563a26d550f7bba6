"""What `python -m benchmarks` measures, and the baselines that it measures against."""
