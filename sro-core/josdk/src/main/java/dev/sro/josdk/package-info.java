/**
 * SRO as a reconciler of the Java Operator SDK. In: an operator that was built and not started. Out: its special resources are reconciled
 * on the SDK's queue and threads, beside the application's other reconcilers.
 */
@NullMarked
package dev.sro.josdk;

import org.jspecify.annotations.NullMarked;
