"""Grids of cells as pixels, drawn, read and compared; knows no puzzle.

palette     named colours; Paints, the fixed palette of a family at a cell size
shapes      shapes as fields of signed distance;  glyphs: our own letters, digits and arrows
canvas      Picture; sprites painted from shapes, tiles laid, sprites stamped
corners     walls and floor with soft corners;  grid: the visual aid;  strokes: drawn ways
chips       numbered move hints on pieces
encode      PNG, Pillow images, GIF;  terminal: pictures as text
decode      pictures from outside;  video: their frames
read        what the cells of a picture show (read_torch: of many at once), by way of boards
drawings    what is drawn onto a board;  fidelity: how close two pictures are
"""
