/**
 * The compatibility kit for plugins. In: a plugin, a special resource for it and nodes with its device. Out: tests that every
 * plugin has to pass, run by extending {@link dev.sro.testkit.contract.AcceleratorPluginContract}.
 */
@NullMarked
package dev.sro.testkit.contract;

import org.jspecify.annotations.NullMarked;
