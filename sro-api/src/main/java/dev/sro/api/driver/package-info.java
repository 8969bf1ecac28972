/**
 * The driver of a device as values: which image, how it is built and signed, which kernel modules are loaded in which
 * order, and what is known about a kernel to come.
 *
 * <p>In: a special resource and a pool of equal nodes. Out: image candidates, build, sign and load plans, verdicts. A
 * plugin implements those of the interfaces that it needs. Kernel Module Management knows most of these fields under the same names.
 */
@NullMarked
package dev.sro.api.driver;

import org.jspecify.annotations.NullMarked;
