/**
 * How driver images are built and signed where no registry has them: by a BuildConfig of OpenShift, by Shipwright, or by a Job.
 *
 * <p>In: what is to be built for a pool, what is known of its inputs, and the build objects that exist. Out: the objects that
 * shall exist now, how far each image is, and when to look again. Nothing here reads or writes.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.build;

import org.jspecify.annotations.NullMarked;
