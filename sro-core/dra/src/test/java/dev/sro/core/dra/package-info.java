/** What is published for Dynamic Resource Allocation, held against the geometry and against a model of the scheduler. */
@NullMarked
package dev.sro.core.dra;

import org.jspecify.annotations.NullMarked;
