"""What is printed: the mat, inlays for a dark tray, the board for lens calibration."""
