package dev.sro.core.preflight;

import dev.sro.api.resource.PreflightValidationSpec;
import dev.sro.core.image.Image;
import dev.sro.core.image.Images;
import dev.sro.core.image.MachineOs;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.image.ReleasePayload;
import dev.sro.core.image.ToolkitRelease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Finds out what the nodes will be, for each architecture once: release image, driver toolkit, kernel. Confined to one thread. */
final class Targets {

    private final PreflightValidationSpec spec;
    private final Images images;
    private final RegistrySettings settings;
    private final Map<String, Target> found = new TreeMap<>();
    private final Map<String, IOException> failed = new TreeMap<>();

    Targets(PreflightValidationSpec spec, Images images, RegistrySettings settings) {
        this.spec = spec;
        this.images = images;
        this.settings = settings;
    }

    /** Those that were found. */
    List<Target> all() {
        return new ArrayList<>(found.values());
    }

    /**
     * What nodes of this architecture will be; empty if nothing changes for them.
     *
     * @throws IOException if it cannot be found out
     */
    Optional<Target> of(String architecture) throws IOException {
        IOException before = failed.get(architecture);
        if (before != null) {
            throw before;
        }
        Target known = found.get(architecture);
        if (known != null) {
            return Optional.of(known);
        }
        try {
            Optional<Target> target =
                    spec.getUpdateImage().isEmpty() ? given(architecture) : Optional.of(released(architecture));
            target.ifPresent(one -> found.put(architecture, one));
            return target;
        } catch (IOException e) {
            failed.put(architecture, e);
            throw e;
        }
    }

    private Optional<Target> given(String architecture) throws IOException {
        String kernel = spec.getKernelVersion().strip();
        if (kernel.isEmpty()) {
            throw new IOException("spec: neither updateImage nor kernelVersion says what to check for");
        }
        ToolkitRelease kernels = new ToolkitRelease(kernel, kernel, "");
        boolean others = ToolkitRelease.isOfAnotherArchitecture(kernel, architecture);
        return others ? Optional.empty() : Optional.of(new Target(architecture, kernels, "", "", kernels, ""));
    }

    private Target released(String architecture) throws IOException {
        ReleasePayload payload = ReleasePayload.read(images.open(spec.getUpdateImage(), architecture, settings));
        Image toolkit = images.open(payload.driverToolkit(), architecture, settings);
        Image.Found file = toolkit.file(ToolkitRelease.PATH)
                .orElseThrow(() -> new IOException("the driver toolkit " + toolkit.reference() + " of release "
                        + payload.version() + " has no /" + ToolkitRelease.PATH));
        ToolkitRelease compiles = ToolkitRelease.parse(file, architecture);
        StringBuilder note = new StringBuilder();
        ToolkitRelease kernels = booted(payload, compiles, architecture, note);
        return new Target(architecture, kernels, payload.version(), payload.driverToolkit(), compiles, note.toString());
    }

    /** The kernels of the operating system: the driver toolkit of a release may be that of an earlier one. */
    private ToolkitRelease booted(
            ReleasePayload payload, ToolkitRelease toolkit, String architecture, StringBuilder note) {
        MachineOs system = new MachineOs("", "");
        String unread = "";
        for (Map.Entry<String, String> image : payload.systems().entrySet()) {
            try {
                system = system.or(MachineOs.of(
                        images.open(image.getValue(), architecture, settings).labels(), architecture));
            } catch (IOException e) {
                // What nodes boot is the first of them: an older one is no answer for it.
                unread = image.getKey() + ": " + e.getMessage();
                break;
            }
        }
        if (system.kernel().isEmpty() || system.kernel().equals(toolkit.kernel())) {
            if (system.kernel().isEmpty() && !unread.isEmpty()) {
                note.append(
                                "the kernel is taken from the driver toolkit of the release, as its operating system does not"
                                        + " say it (")
                        .append(unread)
                        .append(')');
            }
            return toolkit;
        }
        note.append("the driver toolkit of the release is for kernel ")
                .append(toolkit.kernel())
                .append(", and its nodes boot ")
                .append(system.kernel())
                .append(": nothing that is compiled in it loads there");
        return new ToolkitRelease(system.kernel(), system.realTimeKernel(), toolkit.osVersion());
    }
}
