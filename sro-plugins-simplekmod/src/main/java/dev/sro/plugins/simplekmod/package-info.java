/**
 * A whole SRO plugin in one class and a handful of manifests: the worked example for vendors.
 *
 * <p>In: a special resource with {@code spec.driverContainer.source.git} and, if wanted, {@code spec.set.kmodNames} and
 * {@code spec.set.buildArgs}. Out: three states, each per kernel: the driver container is built, it loads the modules,
 * and a pod on each node proves that they are there. OpenShift builds with a BuildConfig into the cluster's registry;
 * elsewhere a Job builds with BuildKit and pushes to {@code spec.plugin.config.registry}, which is
 * {@code localhost:32000} unless set: a registry that every node serves under that port.
 *
 * <p>The image of a pool has the tag {@code v<kernel>-<suffix>}, with the suffix of the pool's objects: the kernel string
 * alone can be that of two architectures or distributions. OpenShift builds in {@code spec.plugin.config.driverToolkit},
 * which is the tag {@code latest} of the cluster's own driver toolkit unless set. That is the one for the kernel of the
 * newest release; for nodes that stay on an older one, name its image. Finding it for each kernel needs a look into image
 * registries, which SRO does not do yet.
 */
@NullMarked
package dev.sro.plugins.simplekmod;

import org.jspecify.annotations.NullMarked;
