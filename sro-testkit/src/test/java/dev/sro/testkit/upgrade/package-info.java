/** Node-by-node upgrades of drivers on the embedded cluster. */
@org.jspecify.annotations.NullMarked
package dev.sro.testkit.upgrade;
