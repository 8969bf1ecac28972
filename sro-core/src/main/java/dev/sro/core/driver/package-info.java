/**
 * Which image the driver of a pool comes from.
 *
 * <p>In: what the special resource ({@code spec.driver}) and the plugin say of images, the pool, the image that runs there now, and
 * what registries were found to have. Out: one {@link dev.sro.core.driver.PoolDriver} for each pool: the image, or what is waited
 * for, and what is to be built, signed and loaded. Nothing here reads a registry but {@code RegistryProbe}, which the engine runs beside reconciles.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.driver;

import org.jspecify.annotations.NullMarked;
