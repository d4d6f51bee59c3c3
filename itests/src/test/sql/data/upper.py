#!/usr/bin/env python3
"""Multiplies the first column by ten and writes the second one in capitals."""
import sys

for line in sys.stdin:
    key, text = line.rstrip("\n").split("\t")
    print(int(key) * 10, text if text == "\\N" else text.upper(), sep="\t")
