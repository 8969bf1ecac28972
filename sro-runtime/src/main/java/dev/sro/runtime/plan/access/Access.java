package dev.sro.runtime.plan.access;

import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Optional;

/** Who answers what accounts may. Confined to one thread. */
public interface Access {

    /**
     * An answer that cannot be had, for example because whoever runs the command may not ask. The message says why.
     */
    final class UnansweredException extends Exception {
        private static final long serialVersionUID = 1L;

        /** With the reason. */
        public UnansweredException(String why) {
            super(why);
        }

        /** The reason. */
        public String why() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Whether an account may do something as things are.
     *
     * @throws UnansweredException if that is not known
     */
    boolean may(RecipeAccount account, Right right) throws UnansweredException;

    /**
     * The rules of a Role or ClusterRole; empty if there is none of this name.
     *
     * @param namespace empty for a ClusterRole
     * @throws UnansweredException if that is not known
     */
    Optional<List<PolicyRule>> role(String namespace, String name) throws UnansweredException;

    /** The plural under which a kind is served; empty if that is not known. */
    Optional<String> plural(ObjectRef object);

    /** Nobody is asked, for this reason. */
    static Access none(String why) {
        return new Access() {
            @Override
            public boolean may(RecipeAccount account, Right right) throws UnansweredException {
                throw new UnansweredException(why);
            }

            @Override
            public Optional<List<PolicyRule>> role(String namespace, String name) throws UnansweredException {
                throw new UnansweredException(why);
            }

            @Override
            public Optional<String> plural(ObjectRef object) {
                return Optional.empty();
            }
        };
    }
}
