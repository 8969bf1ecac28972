package dev.sro.testkit.scale;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.StoredNode;
import dev.sro.core.apply.WriteException;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.NodeFields;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.partition.TaintChange;
import dev.sro.testkit.server.ClusterApi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Counts writes, by object, and those that changed nothing. Such a one has a cause where the write before it to the same object did not
 * come back with an answer, or was another process's. Confined to the thread of a stepped cluster, on which nothing else is written while
 * a request is carried out.
 */
final class WriteLedger {

    private final ClusterApi api;
    private final Map<String, Integer> kinds = new TreeMap<>();
    private final Map<String, Integer> nodes = new HashMap<>();
    /** Whose the last write to an object was, if it is known what came of it. */
    private final Map<String, OneProcess> certain = new HashMap<>();

    private final List<String> repeated = new ArrayList<>();
    private long written;
    private long refused;
    private long excused;

    WriteLedger(ClusterApi api) {
        this.api = api;
    }

    /** The writer of a process that starts now. */
    ClusterWriter of(ClusterWriter writer) {
        return new OneProcess(writer);
    }

    /** Writes by kind of write. */
    Map<String, Integer> kinds() {
        return kinds;
    }

    /** Writes by node, since this was asked last. */
    Map<String, Integer> nodes() {
        Map<String, Integer> since = new TreeMap<>(nodes);
        nodes.clear();
        return since;
    }

    /** Writes that changed nothing and had no cause. */
    List<String> repeated() {
        return repeated;
    }

    @Override
    public String toString() {
        return written + " writes, " + refused + " refused or without an answer, " + excused
                + " repeated as the outcome of the one before was not known or somebody else's, " + repeated.size()
                + " without a cause; " + kinds;
    }

    private interface Call<T> {
        T run() throws WriteException;
    }

    private final class OneProcess implements ClusterWriter {

        private final ClusterWriter writer;

        OneProcess(ClusterWriter writer) {
            this.writer = writer;
        }

        private <T> T note(String kind, String name, Call<T> call) throws WriteException {
            String key = kind + " " + name;
            long before = api.resourceVersion();
            T answer;
            try {
                answer = call.run();
            } catch (WriteException e) {
                refused++;
                certain.remove(key);
                throw e;
            }
            written++;
            kinds.merge(kind, 1, Integer::sum);
            if (kind.startsWith("node")) {
                nodes.merge(name, 1, Integer::sum);
            }
            if (api.resourceVersion() == before) {
                if (certain.get(key) == this) {
                    repeated.add(key);
                } else {
                    excused++;
                }
            }
            certain.put(key, this);
            return answer;
        }

        @Override
        public ClusterWriter as(RecipeAccount account) {
            throw new UnsupportedOperationException("simulated recipes are applied with SRO's own rights");
        }

        @Override
        public KubeObject create(KubeObject object) throws WriteException {
            return note("apply " + object.ref().kind(), object.ref().toString(), () -> writer.create(object));
        }

        @Override
        public KubeObject apply(KubeObject object) throws WriteException {
            return note("apply " + object.ref().kind(), object.ref().toString(), () -> writer.apply(object));
        }

        @Override
        public void delete(ObjectRef ref, String uid, boolean foreground) throws WriteException {
            note("delete " + ref.kind(), ref + " " + uid, () -> {
                writer.delete(ref, uid, foreground);
                return true;
            });
        }

        @Override
        public StoredNode labelNode(String node, String uid, String manager, NodeFields marks) throws WriteException {
            return note("node labels of " + manager, node, () -> writer.labelNode(node, uid, manager, marks));
        }

        @Override
        public StoredNode clearNode(String node, String uid, SortedSet<String> labels, SortedSet<String> annotations)
                throws WriteException {
            return note("node cleared", node, () -> writer.clearNode(node, uid, labels, annotations));
        }

        @Override
        public void evict(ObjectRef pod, String uid) throws WriteException {
            note("evict", pod + " " + uid, () -> {
                writer.evict(pod, uid);
                return true;
            });
        }

        @Override
        public StoredNode taintNode(String node, String uid, TaintChange change) throws WriteException {
            return note("node taints", node, () -> writer.taintNode(node, uid, change));
        }

        @Override
        public StoredNode judgeNode(String node, String uid, String manager, SortedMap<String, NodeVerdict> verdicts)
                throws WriteException {
            return note("node conditions", node, () -> writer.judgeNode(node, uid, manager, verdicts));
        }

        @Override
        public SpecialResource updateStatus(ObjectRef ref, String uid, SpecialResourceStatus status)
                throws WriteException {
            return note("status", ref.toString(), () -> writer.updateStatus(ref, uid, status));
        }

        @Override
        public SpecialResource setFinalizer(ObjectRef ref, String uid, boolean present) throws WriteException {
            return note("finalizer", ref.toString(), () -> writer.setFinalizer(ref, uid, present));
        }
    }
}
