/**
 * A whole SRO plugin in one class and a handful of manifests: the worked example for vendors.
 *
 * <p>In: a special resource with {@code spec.driverContainer.source.git} and, if wanted, {@code spec.set.kmodNames} and
 * {@code spec.set.buildArgs}. Out: three states, each per kernel: the driver container is built, it loads the modules,
 * and a pod on each node proves that they are there. OpenShift builds with a BuildConfig into the cluster's registry;
 * elsewhere a Job builds with BuildKit and pushes to {@code spec.plugin.config.registry}, which is
 * {@code localhost:32000} unless set: a registry that every node serves under that port, with the Secret that {@code pushSecret}
 * names. The Dockerfile has a stage for each family of distributions; nodes of another one are a problem. What does not compile is
 * tried once, what a registry or the network did up to seven times, and {@code cacheClaim} names a PersistentVolumeClaim in which builds
 * keep what they made.
 *
 * <p>The image of a pool has the tag {@code v<kernel>-<suffix>}, with the suffix of the pool's objects: the kernel string
 * alone can be that of two architectures or distributions. OpenShift builds in the driver toolkit that has the pool's kernel, which
 * SRO supplies as {@code driverToolkitImage}, or in {@code spec.plugin.config.driverToolkit}; the tag {@code latest} of the cluster's
 * own registry stands in where the toolkits may not be read. {@code spec.plugin.config.after} names what other vendors bring to a node
 * first (capabilities), and a node on which the modules are proved has the capability {@code simple-kmod} for those that come behind;
 * {@code proveOn} has them proved on nodes with these labels alone; {@code alerts: true} adds an alert on modules that went away. What is wrong in a special resource is said, all of it at once, before
 * anything is made.
 */
@NullMarked
package dev.sro.plugins.simplekmod;

import org.jspecify.annotations.NullMarked;
