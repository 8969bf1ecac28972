package dev.sro.runtime.plan;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.StoredNode;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.NodeFields;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.partition.TaintChange;
import java.util.SortedMap;
import java.util.SortedSet;

/** Nothing is written: a plan never gets here. Stateless. */
final class NoWriter implements ClusterWriter {

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException("a plan writes nothing");
    }

    @Override
    public ClusterWriter as(RecipeAccount account) {
        throw refused();
    }

    @Override
    public KubeObject create(KubeObject object) {
        throw refused();
    }

    @Override
    public KubeObject apply(KubeObject object) {
        throw refused();
    }

    @Override
    public void delete(ObjectRef ref, String uid, boolean foreground) {
        throw refused();
    }

    @Override
    public StoredNode labelNode(String node, String uid, String manager, NodeFields marks) {
        throw refused();
    }

    @Override
    public StoredNode clearNode(String node, String uid, SortedSet<String> labels, SortedSet<String> annotations) {
        throw refused();
    }

    @Override
    public void evict(ObjectRef pod, String uid) {
        throw refused();
    }

    @Override
    public StoredNode taintNode(String node, String uid, TaintChange change) {
        throw refused();
    }

    @Override
    public StoredNode judgeNode(String node, String uid, String manager, SortedMap<String, NodeVerdict> verdicts) {
        throw refused();
    }

    @Override
    public SpecialResource updateStatus(ObjectRef ref, String uid, SpecialResourceStatus status) {
        throw refused();
    }

    @Override
    public SpecialResource setFinalizer(ObjectRef ref, String uid, boolean present) {
        throw refused();
    }
}
