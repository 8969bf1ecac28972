/**
 * A whole SRO plugin in one class and a handful of manifests: the worked example for vendors.
 *
 * <p>In: a special resource with {@code spec.driverContainer.source.git} and, if wanted, {@code spec.set.kmodNames} and
 * {@code spec.set.buildArgs}. Out: three states, each per kernel: the driver container is built, it loads the modules,
 * and a pod on each node proves that they are there. OpenShift builds with a BuildConfig into the cluster's registry;
 * elsewhere a Job builds with BuildKit and pushes to {@code spec.plugin.config.registry}, which is
 * {@code localhost:32000} unless set: a registry that every node serves under that port.
 */
@NullMarked
package dev.sro.plugins.simplekmod;

import org.jspecify.annotations.NullMarked;
