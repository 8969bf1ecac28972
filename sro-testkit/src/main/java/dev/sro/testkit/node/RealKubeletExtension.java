package dev.sro.testkit.node;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Finds the programs, and gives each test that asks for one a cluster of its own. Keeps nothing itself. */
final class RealKubeletExtension implements ExecutionCondition, ParameterResolver {
    private static final ExtensionContext.Namespace STORE =
            ExtensionContext.Namespace.create(RealKubeletExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        KubeletPrograms.Finder finder = KubeletPrograms.Finder.ofThisMachine();
        String missing = finder.missing();
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("on a kubelet of this machine");
        }
        if (finder.isRequired()) {
            throw new RealNodeException(KubeletPrograms.MODE + " is required, but " + missing);
        }
        return ConditionEvaluationResult.disabled(missing);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == KubeletCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(STORE)
                .computeIfAbsent(
                        context.getUniqueId(),
                        id -> KubeletCluster.start(
                                KubeletPrograms.Finder.ofThisMachine().find()),
                        KubeletCluster.class);
    }
}
