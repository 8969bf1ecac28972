package dev.sro.agent.device;

/**
 * Which driver the node runs. Immutable.
 *
 * @param driver such as {@code 580.65.06}
 * @param cuda highest version of CUDA that it has, such as {@code 13.0}
 */
public record DriverVersion(String driver, String cuda) {}
