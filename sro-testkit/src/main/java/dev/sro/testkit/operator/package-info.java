/**
 * SRO itself on an embedded cluster, step by step. In: a cluster with simulated nodes, and plugins. Out: special resources
 * that become Ready, or say why not, in virtual time and in the same order on every run.
 */
@NullMarked
package dev.sro.testkit.operator;

import org.jspecify.annotations.NullMarked;
