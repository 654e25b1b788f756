//! Plots as SVG, readable in black and white: series differ by marker, dashes and a label at their end; fonts that are everywhere.

mod axis;
mod boxes;
mod lines;
mod svg;

pub use boxes::{BoxPlot, BoxRow};
pub use lines::{Line, LinePlot};
