package dev.sro.core.slicing;

/**
 * A plan that frees devices of one model by moving what runs on them to others in use.
 *
 * @param model key of the model
 * @param plan the moves; without {@link MovePlan#room()}
 * @param devicesBefore devices in use before; cordoned ones are not counted
 * @param devicesAfter devices in use afterwards
 * @param fewest no plan, whatever it costs, ends with fewer
 * @param bound no plan that frees as many devices costs less
 */
public record CompactionPlan(
        String model, MovePlan plan, int devicesBefore, int devicesAfter, long fewest, long bound) {}
