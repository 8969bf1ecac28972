package dev.sro.core.engine.port;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.ViewedKind;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Port: the caches. Answers from memory and makes no request; what it returns is immutable. Implementations are
 * thread-safe, and answer everything: no method has a default, lest one be forgotten that an implementation has to have.
 */
public interface ClusterReader {

    /** In the answer of {@link #watch}: what every special resource needs (nodes above all) is not seen. */
    String BASE = "";

    /** The special resource of this name. */
    Optional<SpecialResource> specialResource(String name);

    /** All special resources, sorted by name. */
    List<SpecialResource> specialResources();

    /** What the cluster is and serves. */
    ClusterFacts cluster();

    /** Asks anew what the cluster serves; without an answer {@link #cluster} stays as it was. */
    void refreshCluster();

    /**
     * Sees to it that {@link #cluster} tells when one of these resources ({@code plural.group}) comes to be served, or is not
     * any more.
     *
     * @return after what time to ask with {@link #refreshCluster}, because no event tells of it; empty where one does
     */
    Optional<Duration> watchDefinitions(Set<String> resources);

    /**
     * Sees to it that {@link #cluster} knows all of the cluster's surroundings: on OpenShift its version, proxy, driver toolkits
     * and push secrets.
     *
     * @return Waiting while they are being listed; empty when they are known as far as they may be seen
     */
    Optional<Outcome> watchEnvironment();

    /** All nodes. */
    Collection<ObservedNode> nodes();

    /** Every object that carries the label of this special resource, of the kinds that are watched. */
    Map<ObjectRef, KubeObject> owned(String specialResource);

    /** Whether a namespace exists that does not carry the label of this special resource. */
    boolean isForeignNamespace(String namespace, String specialResource);

    /** The namespace of this name, if a special resource made it that does not exist any more. */
    Optional<KubeObject> leftNamespace(String namespace);

    /**
     * Pods that the object with this uid controls. For pods of a Deployment and pods that nothing controls,
     * {@link PodFacts#workload} stands for the uid.
     */
    List<PodFacts> pods(String ownerUid);

    /**
     * Sees to it that the pods of these nodes are watched, and those of no other node for this special resource: the nodes are in
     * transition.
     */
    void watchPods(String specialResource, Set<String> nodes);

    /** All pods of a node that is watched for them; empty while they are being listed, and of all other nodes. */
    Optional<List<NodePod>> podsOn(String node);

    /** Sees to it that the objects of these kinds are watched for this special resource, and of no others. */
    void view(String specialResource, Set<ViewedKind<?>> kinds);

    /**
     * All objects of a kind that is {@linkplain #view watched}, none where it is not served; empty while they are being listed, and
     * when nobody wants them.
     */
    <T> Optional<Collection<T>> viewed(ViewedKind<T> kind);

    /** Other objects that the object with this uid controls: the Builds of a BuildConfig. */
    List<KubeObject> children(String ownerUid);

    /**
     * Sees to it that these objects are watched.
     *
     * @return the kinds that cannot be seen now, {@link #BASE} among them while nodes, pods or special resources are not: Waiting while
     *     the cache fills, and with {@link dev.sro.core.model.Code#ACCOUNT_PENDING} until there is an account to see them by; Failed when
     *     they are not served or may not be listed
     */
    Map<String, Outcome> watch(Sight sight);
}
