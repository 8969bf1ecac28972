/**
 * The whole plan. In: {@link dev.sro.core.plan.planner.PlanInput}. Out: {@link dev.sro.core.plan.Plan}, put together by the rooms beside this one. Pure: no clock, no I/O.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.plan.planner;

import org.jspecify.annotations.NullMarked;
