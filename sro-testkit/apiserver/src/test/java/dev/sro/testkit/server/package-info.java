/** Tests of the in-process API server. In: requests and objects. Out: answers that a kube-apiserver gives. */
@NullMarked
package dev.sro.testkit.server;

import org.jspecify.annotations.NullMarked;
