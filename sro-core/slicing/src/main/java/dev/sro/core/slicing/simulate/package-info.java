/**
 * Simulation of a policy on a load: in go a model, a policy and a workload, out comes a report of what was accepted, refused and
 * moved. Beside the allocator, not under it: nothing here runs in production.
 */
@NullMarked
package dev.sro.core.slicing.simulate;

import org.jspecify.annotations.NullMarked;
