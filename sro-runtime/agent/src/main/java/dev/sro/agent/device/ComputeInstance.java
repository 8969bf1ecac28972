package dev.sro.agent.device;

/**
 * A compute instance: what processes run on. Immutable.
 *
 * @param id unique in its GPU instance
 * @param uuid {@code MIG-...}, by which containers see it
 */
public record ComputeInstance(int id, String uuid) {}
