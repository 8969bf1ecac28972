package dev.sro.testkit.simulation;

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
import java.util.SortedMap;
import java.util.SortedSet;

/** A writer whose process dies at a chosen write, before or after it took effect, and writes nothing any more. */
public final class Doom implements ClusterWriter {

    /** The death: nobody catches it on purpose. */
    public static final class Died extends Error {
        private static final long serialVersionUID = 1L;

        private Died() {
            super("the process died", null, false, false);
        }
    }

    /** Of a process, whoever it writes as. */
    private static final class Life {
        private int writesLeft;
        private final boolean afterEffect;
        private boolean dead;

        Life(int writesLeft, boolean afterEffect) {
            this.writesLeft = writesLeft;
            this.afterEffect = afterEffect;
        }
    }

    private final ClusterWriter writer;
    private final Life life;

    /**
     * One for one process.
     *
     * @param writesLeft how many writes succeed before the one that is fatal; negative for immortality
     * @param afterEffect whether the fatal write still takes effect
     */
    public Doom(ClusterWriter writer, int writesLeft, boolean afterEffect) {
        this(writer, new Life(writesLeft, afterEffect));
    }

    private Doom(ClusterWriter writer, Life life) {
        this.writer = writer;
        this.life = life;
    }

    private interface Call<T> {
        T run() throws WriteException;
    }

    private <T> T pass(Call<T> call) throws WriteException {
        if (life.dead) {
            throw new Died();
        }
        if (life.writesLeft < 0 || life.writesLeft-- > 0) {
            return call.run();
        }
        life.dead = true;
        if (life.afterEffect) {
            call.run();
        }
        throw new Died();
    }

    /** Whether it did. */
    public boolean isDead() {
        return life.dead;
    }

    @Override
    public ClusterWriter as(RecipeAccount account) {
        return new Doom(writer.as(account), life);
    }

    @Override
    public KubeObject create(KubeObject object) throws WriteException {
        return pass(() -> writer.create(object));
    }

    @Override
    public KubeObject apply(KubeObject object) throws WriteException {
        return pass(() -> writer.apply(object));
    }

    @Override
    public void delete(ObjectRef ref, String uid, boolean foreground) throws WriteException {
        pass(() -> {
            writer.delete(ref, uid, foreground);
            return true;
        });
    }

    @Override
    public StoredNode labelNode(String node, String uid, String manager, NodeFields marks) throws WriteException {
        return pass(() -> writer.labelNode(node, uid, manager, marks));
    }

    @Override
    public StoredNode clearNode(String node, String uid, SortedSet<String> labels, SortedSet<String> annotations)
            throws WriteException {
        return pass(() -> writer.clearNode(node, uid, labels, annotations));
    }

    @Override
    public void evict(ObjectRef pod, String uid) throws WriteException {
        pass(() -> {
            writer.evict(pod, uid);
            return true;
        });
    }

    @Override
    public StoredNode taintNode(String node, String uid, TaintChange change) throws WriteException {
        return pass(() -> writer.taintNode(node, uid, change));
    }

    @Override
    public StoredNode judgeNode(String node, String uid, String manager, SortedMap<String, NodeVerdict> verdicts)
            throws WriteException {
        return pass(() -> writer.judgeNode(node, uid, manager, verdicts));
    }

    @Override
    public SpecialResource updateStatus(ObjectRef ref, String uid, SpecialResourceStatus status) throws WriteException {
        return pass(() -> writer.updateStatus(ref, uid, status));
    }

    @Override
    public SpecialResource setFinalizer(ObjectRef ref, String uid, boolean present) throws WriteException {
        return pass(() -> writer.setFinalizer(ref, uid, present));
    }
}
