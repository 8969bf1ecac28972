package dev.sro.testkit.node;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Finds the rig, and gives each test that asks for one a cluster of its own. Keeps nothing itself. */
final class RealNodeExtension implements ExecutionCondition, ParameterResolver {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(RealNodeExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        RigFinder finder = RigFinder.ofThisMachine();
        return decide(finder.missing(), finder.isRequired());
    }

    /**
     * Whether a test runs.
     *
     * @param missing why it cannot; empty if it can
     * @throws RealNodeException if it cannot and has to
     */
    static ConditionEvaluationResult decide(String missing, boolean required) {
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("on real nodes");
        }
        if (required) {
            throw new RealNodeException(RigFinder.MODE + " is required, but " + missing);
        }
        return ConditionEvaluationResult.disabled(missing);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == NodeCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(STORE)
                .computeIfAbsent(
                        context.getUniqueId(),
                        id -> NodeCluster.start(RigFinder.ofThisMachine().find()),
                        NodeCluster.class);
    }
}
