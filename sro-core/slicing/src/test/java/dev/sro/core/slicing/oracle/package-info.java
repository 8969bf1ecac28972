/** The planners against the CP-SAT solver of OR-Tools. Compiled and run only with {@code -Pslow}, which brings the solver. */
@org.jspecify.annotations.NullMarked
package dev.sro.core.slicing.oracle;
