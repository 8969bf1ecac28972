package dev.sro.plugins.nvidia;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.testkit.contract.AcceleratorPluginContract;
import dev.sro.testkit.contract.ContractProfile;
import dev.sro.testkit.sim.NodeProfile;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The contract of every plugin, with nodes for containers and for virtual machines of both kinds. */
class NvidiaSandboxesContractTest extends AcceleratorPluginContract {

    @Override
    protected AcceleratorPlugin plugin() {
        return new NvidiaPlugin();
    }

    @Override
    protected String specialResource() {
        return Gpus.resource("{sandboxWorkloads: {enabled: true}, ccManager: {enabled: true},"
                + " vgpuManager: {repository: registry.example/nvidia, image: vgpu-manager, version: 570.133.10},"
                + " vgpuDeviceManager: {config: {name: vgpu-layouts}}}");
    }

    @Override
    protected Map<String, NodeProfile> nodes() {
        return Map.of(
                "containers", Gpus.NODE,
                "whole", Gpus.NODE.withLabel(Labels.WORKLOAD, "vm-passthrough"),
                "parts", Gpus.NODE.withLabel(Labels.WORKLOAD, "vm-vgpu"));
    }

    @Override
    protected List<ContractProfile> profiles() {
        return Gpus.profiles();
    }

    @Override
    protected Set<String> unchecked() {
        return Gpus.WITH_TESTS_OF_THEIR_OWN;
    }
}
