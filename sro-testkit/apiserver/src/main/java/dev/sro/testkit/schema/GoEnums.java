package dev.sro.testkit.schema;

import java.util.HashMap;
import java.util.Map;

/** Names that the server's language has for texts of a few values: the decoder's errors speak of them. Stateless. */
final class GoEnums {
    /** By {@code Struct.field}, in version 1 of their group. */
    private static final Map<String, String> TYPES = types("OwnerReference.uid types.UID, ObjectMeta.uid types.UID,"
            + " ObjectReference.uid types.UID, Preconditions.uid types.UID, "
            + "Secret.type SecretType, ServiceSpec.type ServiceType,"
            + " ServiceSpec.sessionAffinity ServiceAffinity, ServiceSpec.ipFamilyPolicy IPFamilyPolicy,"
            + " ServiceSpec.externalTrafficPolicy ServiceExternalTrafficPolicy, ServiceSpec.internalTrafficPolicy"
            + " ServiceInternalTrafficPolicy, ServicePort.protocol Protocol, PodSpec.restartPolicy RestartPolicy,"
            + " PodSpec.dnsPolicy DNSPolicy, PodSpec.preemptionPolicy PreemptionPolicy, Container.imagePullPolicy"
            + " PullPolicy, Container.terminationMessagePolicy TerminationMessagePolicy, Container.restartPolicy"
            + " ContainerRestartPolicy, ContainerPort.protocol Protocol, Toleration.operator TolerationOperator,"
            + " Toleration.effect TaintEffect, Taint.effect TaintEffect, NodeSelectorRequirement.operator"
            + " NodeSelectorOperator, LabelSelectorRequirement.operator LabelSelectorOperator,"
            + " VolumeMount.mountPropagation MountPropagationMode, VolumeMount.recursiveReadOnly RecursiveReadOnlyMode,"
            + " HostPathVolumeSource.type HostPathType, EmptyDirVolumeSource.medium StorageMedium,"
            + " ImageVolumeSource.pullPolicy PullPolicy, HTTPGetAction.scheme URIScheme, SeccompProfile.type"
            + " SeccompProfileType, PodSecurityContext.fsGroupChangePolicy PodFSGroupChangePolicy,"
            + " SecurityContext.procMount ProcMountType, Capabilities.add Capability, Capabilities.drop Capability,"
            + " TopologySpreadConstraint.whenUnsatisfiable UnsatisfiableConstraintAction,"
            + " TopologySpreadConstraint.nodeAffinityPolicy NodeInclusionPolicy, TopologySpreadConstraint.nodeTaintsPolicy"
            + " NodeInclusionPolicy, PodReadinessGate.conditionType PodConditionType, ResourceQuotaSpec.scopes"
            + " ResourceQuotaScope, NamespaceSpec.finalizers FinalizerName, LimitRangeItem.type LimitType,"
            + " PersistentVolumeClaimSpec.accessModes PersistentVolumeAccessMode, PersistentVolumeClaimSpec.volumeMode"
            + " PersistentVolumeMode, PersistentVolumeSpec.accessModes PersistentVolumeAccessMode,"
            + " PersistentVolumeSpec.volumeMode PersistentVolumeMode, PersistentVolumeSpec.persistentVolumeReclaimPolicy"
            + " PersistentVolumeReclaimPolicy, EndpointPort.protocol Protocol, EndpointSlice.addressType AddressType,"
            + " DaemonSetUpdateStrategy.type DaemonSetUpdateStrategyType, DeploymentStrategy.type DeploymentStrategyType,"
            + " StatefulSetUpdateStrategy.type StatefulSetUpdateStrategyType, StatefulSetSpec.podManagementPolicy"
            + " PodManagementPolicyType, JobSpec.completionMode CompletionMode, JobSpec.podReplacementPolicy"
            + " PodReplacementPolicy, PodFailurePolicyRule.action PodFailurePolicyAction, CronJobSpec.concurrencyPolicy"
            + " ConcurrencyPolicy, PriorityClass.preemptionPolicy PreemptionPolicy, StorageClass.reclaimPolicy"
            + " PersistentVolumeReclaimPolicy, StorageClass.volumeBindingMode VolumeBindingMode,"
            + " CSIDriverSpec.fsGroupPolicy FSGroupPolicy, CSIDriverSpec.volumeLifecycleModes VolumeLifecycleMode,"
            + " NetworkPolicyPort.protocol Protocol, NetworkPolicySpec.policyTypes PolicyType, HTTPIngressPath.pathType"
            + " PathType, RuleWithOperations.operations OperationType, RuleWithOperations.scope ScopeType,"
            + " ValidatingWebhook.failurePolicy FailurePolicyType, ValidatingWebhook.matchPolicy MatchPolicyType,"
            + " ValidatingWebhook.sideEffects SideEffectClass, MutatingWebhook.failurePolicy FailurePolicyType,"
            + " MutatingWebhook.matchPolicy MatchPolicyType, MutatingWebhook.sideEffects SideEffectClass,"
            + " MutatingWebhook.reinvocationPolicy ReinvocationPolicyType, MetricSpec.type v2.MetricSourceType,"
            + " MetricTarget.type v2.MetricTargetType, HPAScalingPolicy.type v2.HPAScalingPolicyType,"
            + " HPAScalingRules.selectPolicy v2.ScalingPolicySelect, ScopedResourceSelectorRequirement.scopeName"
            + " ResourceQuotaScope, ScopedResourceSelectorRequirement.operator ScopeSelectorOperator,"
            + " FlowDistinguisherMethod.type FlowDistinguisherMethodType, FlowSubject.kind SubjectKind,"
            + " PriorityLevelConfigurationSpec.type PriorityLevelEnablement, LimitResponse.type LimitResponseType,"
            + " StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted PersistentVolumeClaimRetentionPolicyType,"
            + " StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled PersistentVolumeClaimRetentionPolicyType,"
            + " PodFailurePolicyOnExitCodesRequirement.operator PodFailurePolicyOnExitCodesOperator,"
            + " PodFailurePolicyOnPodConditionsPattern.type PodConditionType,"
            + " PodFailurePolicyOnPodConditionsPattern.status ConditionStatus, EndpointPortModel.protocol Protocol,"
            + " PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy UnhealthyPodEvictionPolicyType");

    private GoEnums() {}

    private static Map<String, String> types(String table) {
        Map<String, String> types = new HashMap<>();
        for (String line : table.split(", *")) {
            String[] words = line.trim().split(" ");
            types.put(words[0], words[1].contains(".") ? words[1] : "v1." + words[1]);
        }
        return Map.copyOf(types);
    }

    /** The type of a text. */
    static String type(String owner, String field) {
        return TYPES.getOrDefault(owner + "." + field, "string");
    }
}
