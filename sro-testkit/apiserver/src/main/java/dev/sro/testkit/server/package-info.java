/**
 * The in-process Kubernetes API server. In: {@link dev.sro.testkit.server.ApiRequest}s (verb, path, query, body) or direct
 * calls of {@link dev.sro.testkit.server.ClusterApi}. Out: the answers a kube-apiserver gives, and changes to subscribers.
 * Holds every object in memory; opens no socket and starts no thread.
 */
@NullMarked
package dev.sro.testkit.server;

import org.jspecify.annotations.NullMarked;
