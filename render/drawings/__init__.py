"""What is drawn onto a board: lines, numbered hints, grids with coordinates; read from pixels."""
