@NullMarked
package dev.sro.agent.kubelet;

import org.jspecify.annotations.NullMarked;
