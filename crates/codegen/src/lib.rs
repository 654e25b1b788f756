//! roadwire codegen.
