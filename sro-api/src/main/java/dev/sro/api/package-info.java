/**
 * The contract between SRO and a plugin for one kind of accelerator.
 *
 * <p>In: immutable facts about the cluster ({@link dev.sro.api.ClusterFacts}), its nodes
 * ({@link dev.sro.api.NodeFacts}), pools of equal nodes ({@link dev.sro.api.Pool}) and the
 * {@link dev.sro.api.resource.SpecialResource} that the user wrote. Out: values that say what should exist
 * ({@link dev.sro.api.StateGraph}) and how far it is ({@link dev.sro.api.Outcome}). A plugin never talks to
 * the API server, starts no thread and keeps no state between calls.
 *
 * <p>{@link dev.sro.api.AcceleratorPlugin} is the one interface that every plugin implements. The others
 * ({@link dev.sro.api.ConfigValidator}, {@link dev.sro.api.DeviceMatcher}, {@link dev.sro.api.NodeClassifier},
 * {@link dev.sro.api.PoolKeyProvider}, {@link dev.sro.api.ManifestHook}, {@link dev.sro.api.ReadinessProbe}) are
 * optional: a plugin class implements those it needs. Further ones are in {@link dev.sro.api.driver} (images, build, load,
 * preflight), {@link dev.sro.api.device} (containers, exposure) and {@link dev.sro.api.operation}
 * (upgrade, monitoring, scheduling).
 *
 * <p>The engine acts on every interface that is here; what it cannot act on is not in the contract.
 */
@NullMarked
package dev.sro.api;

import org.jspecify.annotations.NullMarked;
