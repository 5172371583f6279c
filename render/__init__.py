"""Drawing of grids of cells; knows pixels, not puzzles.

palette     named colours; Paints, the fixed palette of a family at a cell size
shapes      shapes as fields of signed distance;  glyphs: our own letters, digits and arrows
canvas      Picture; sprites painted from shapes, tiles laid, sprites stamped
corners     walls and floor with soft corners;  grid: the visual aid;  strokes: drawn ways
chips       numbered move hints on pieces
encode      PNG, Pillow images, GIF;  terminal: pictures as text
"""
