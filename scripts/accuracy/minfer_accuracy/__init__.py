"""Helpers of accuracy.py: how far minfer's and llama.cpp's logits lie from those of the float model."""

import sys
from pathlib import Path

# The float64 model is that of the golden data.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "golden"))
