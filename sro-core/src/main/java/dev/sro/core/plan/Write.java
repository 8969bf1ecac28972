package dev.sro.core.plan;

import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.NodeFields;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.partition.TaintChange;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** One write to the API server: one request. Immutable. */
public sealed interface Write {

    /** The object that is written. */
    ObjectRef ref();

    /**
     * What to do about a write: who handles writes handles every kind of them, or does not compile.
     *
     * @param <R> what comes of it
     * @param <E> what may be thrown
     */
    interface Cases<R, E extends Exception> {
        /** An object is applied. */
        R apply(Apply it) throws E;

        /** An object is deleted. */
        R delete(Delete it) throws E;

        /** Marks of a node are applied. */
        R labelNode(LabelNode it) throws E;

        /** Marks are taken off a node. */
        R clearNode(ClearNode it) throws E;

        /** A pod is evicted. */
        R evict(Evict it) throws E;

        /** Taints of a node change. */
        R taintNode(TaintNode it) throws E;

        /** Conditions of a node are applied. */
        R judgeNode(JudgeNode it) throws E;

        /** The status is applied. */
        R updateStatus(UpdateStatus it) throws E;

        /** The finalizer is applied. */
        R setFinalizer(SetFinalizer it) throws E;
    }

    /** Does what is to be done in the case that this is. */
    <R, E extends Exception> R on(Cases<R, E> cases) throws E;

    /**
     * Server-side apply of an operand.
     *
     * @param object complete, as desired
     * @param create true when it was not observed: the writer then makes sure that it overwrites nobody's object
     * @param state id of the state it belongs to
     * @param pool name of its pool, empty when it serves all
     * @param why for a person
     * @param adopt true when the Special Resource Operator made it: what that held of it is from now on SRO's
     */
    record Apply(KubeObject object, boolean create, String state, String pool, String why, boolean adopt)
            implements Write {
        /** One that nobody else made. */
        public Apply(KubeObject object, boolean create, String state, String pool, String why) {
            this(object, create, state, pool, why, false);
        }

        /** By whose rights; empty for SRO's own. */
        public Optional<RecipeAccount> account() {
            return RecipeAccount.of(object);
        }

        @Override
        public ObjectRef ref() {
            return object.ref();
        }

        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.apply(this);
        }
    }

    /**
     * Deletion of an operand, only if it still is the object that was observed.
     *
     * @param uid precondition; empty for what has none of its own, as a tag of an image stream
     * @param foreground whether the object stays until what it controls is gone
     * @param state id of the state it belonged to
     * @param pool name of its pool, empty when it served all
     * @param why for a person
     * @param account by whose rights; empty for SRO's own
     */
    record Delete(
            ObjectRef ref,
            String uid,
            boolean foreground,
            String state,
            String pool,
            String why,
            Optional<RecipeAccount> account)
            implements Write {
        /** With SRO's own rights. */
        public Delete(ObjectRef ref, String uid, boolean foreground, String state, String pool, String why) {
            this(ref, uid, foreground, state, pool, why, Optional.empty());
        }

        /** Of an object that was observed, by the rights with which it was written. */
        public static Delete of(KubeObject live, boolean foreground, String state, String pool, String why) {
            return new Delete(live.ref(), live.uid(), foreground, state, pool, why, RecipeAccount.of(live));
        }

        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.delete(this);
        }
    }

    /**
     * Server-side apply of all that a special resource holds on a node: labels, annotations and cordon; what is not in it any more
     * goes.
     *
     * @param node its name
     * @param uid precondition: a deleted node is not brought back
     * @param manager field manager
     * @param marks all that the manager shall hold
     */
    record LabelNode(String node, String uid, String manager, NodeFields marks) implements Write {
        /** Labels alone. */
        public LabelNode(String node, String uid, String manager, SortedMap<String, String> labels) {
            this(node, uid, manager, new NodeFields(labels));
        }

        /** All labels that the manager shall hold. */
        public SortedMap<String, String> labels() {
            return marks.labels();
        }

        @Override
        public ObjectRef ref() {
            return new ObjectRef("v1", "Node", "", node);
        }

        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.labelNode(this);
        }
    }

    /**
     * Takes labels and annotations off a node whoever wrote them: an answer to somebody's request, or a mark that was edited by
     * hand and that server-side apply would leave to the one who did.
     *
     * @param node its name
     * @param uid precondition
     * @param labels keys
     * @param annotations keys
     * @param why for a person
     */
    record ClearNode(String node, String uid, SortedSet<String> labels, SortedSet<String> annotations, String why)
            implements Write {
        /** Copies the keys. */
        public ClearNode {
            labels = Collections.unmodifiableSortedSet(new TreeSet<>(labels));
            annotations = Collections.unmodifiableSortedSet(new TreeSet<>(annotations));
        }

        @Override
        public ObjectRef ref() {
            return new ObjectRef("v1", "Node", "", node);
        }

        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.clearNode(this);
        }
    }

    /**
     * Asks for a pod to go by the eviction API, which heeds disruption budgets. One that a budget refuses is no failure: it is
     * remembered with the budget's name and asked for again.
     *
     * @param ref the pod
     * @param uid precondition
     * @param node where it runs
     * @param why for a person
     */
    record Evict(ObjectRef ref, String uid, String node, String why) implements Write {
        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.evict(this);
        }
    }

    /**
     * Taints of a node change, with the record of whose they are; others stay as they are.
     *
     * @param node its name
     * @param uid precondition
     * @param change what of them
     */
    record TaintNode(String node, String uid, TaintChange change) implements Write {
        @Override
        public ObjectRef ref() {
            return new ObjectRef("v1", "Node", "", node);
        }

        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.taintNode(this);
        }
    }

    /**
     * Server-side apply of all conditions that a special resource holds in the status of a node; what is not in it any more goes.
     *
     * @param node its name
     * @param uid precondition
     * @param manager field manager
     * @param verdicts by type
     */
    record JudgeNode(String node, String uid, String manager, SortedMap<String, NodeVerdict> verdicts)
            implements Write {
        /** Copies the conditions. */
        public JudgeNode {
            verdicts = Collections.unmodifiableSortedMap(new TreeMap<>(verdicts));
        }

        /** Not the node itself: who may not write conditions may still write labels. */
        @Override
        public ObjectRef ref() {
            return new ObjectRef("v1", "Node", "", node + "/status");
        }

        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.judgeNode(this);
        }
    }

    /**
     * Server-side apply of the special resource's status.
     *
     * @param ref the special resource
     * @param uid precondition
     * @param status the whole status
     */
    record UpdateStatus(ObjectRef ref, String uid, SpecialResourceStatus status) implements Write {
        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.updateStatus(this);
        }
    }

    /**
     * Server-side apply of the finalizer.
     *
     * @param ref the special resource
     * @param uid precondition
     * @param present whether it shall be there
     */
    record SetFinalizer(ObjectRef ref, String uid, boolean present) implements Write {
        @Override
        public <R, E extends Exception> R on(Cases<R, E> cases) throws E {
            return cases.setFinalizer(this);
        }
    }
}
