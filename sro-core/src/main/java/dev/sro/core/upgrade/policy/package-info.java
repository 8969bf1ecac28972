/**
 * How a driver is to go from node to node. In: {@code spec.upgradePolicy} of a special resource, and what its recipe says of
 * upgrades. Out: the policy of the machine, and the names of the labels and annotations by which it speaks. Pure; all types are
 * immutable but {@link dev.sro.core.upgrade.policy.UpgradeAdvice}, whose answers come from plugins.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.upgrade.policy;

import org.jspecify.annotations.NullMarked;
