package dev.sro.core.slicing.catalogue;

import dev.sro.core.slicing.input.InputField;
import dev.sro.core.slicing.input.InputObject;
import dev.sro.core.slicing.input.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads one device model of a catalogue file. */
final class ModelReader {
    static final String[] FIELDS = {
        "key",
        "products",
        "architecture",
        "memoryUnits",
        "computeSlices",
        "pciDeviceIds",
        "engineCapacity",
        "classLimits",
        "placements",
        "sources",
        "notes",
        "profiles"
    };
    static final String[] PROFILE_FIELDS = {
        "name",
        "aliases",
        "size",
        "starts",
        "maxInstances",
        "computeSlices",
        "engines",
        "mode",
        "limitClass",
        "nvmlProfileEnum",
        "giProfileId",
        "multiprocessors",
        "copyEngines",
        "memoryGiB"
    };

    /** Reported when they are asked for and missing. */
    private static final Set<String> REQUIRED =
            Set.of("key", "memoryUnits", "profiles", "name", "size", "starts", "maxInstances");

    private final String scheme;
    private final String vendor;
    private final String pciVendorId;
    private final Optional<Set<String>> sources;

    ModelReader(String scheme, String vendor, String pciVendorId, Optional<Set<String>> sources) {
        this.scheme = scheme;
        this.vendor = vendor;
        this.pciVendorId = pciVendorId;
        this.sources = sources;
    }

    /** Empty if the entry has an error, which is then reported. */
    Optional<DeviceModel> read(InputField entry, InputObject fields) {
        List<InputField> list =
                fields.required("profiles").map(InputField::list).orElse(List.of());
        List<InputObject> objects = new ArrayList<>();
        DeviceModel.Builder model = DeviceModel.builder()
                .key(fields.string("key"))
                .scheme(scheme)
                .vendor(vendor)
                .pciVendorId(pciVendorId)
                .architecture(fields.string("architecture", ""))
                .products(fields.strings("products"))
                .memoryUnits(fields.integer("memoryUnits"))
                .computeSlices(fields.integer("computeSlices", 0))
                .engineCapacity(fields.counts("engineCapacity"))
                .classLimits(fields.counts("classLimits"))
                .sources(sources(fields))
                .notes(fields.strings("notes"));
        fields.required("placements").flatMap(CatalogueReader::origin).ifPresent(model::placementOrigin);
        for (InputField id : fields.list("pciDeviceIds")) {
            model.addPciDeviceIds(CatalogueReader.pciId(id));
        }
        for (InputField profile : list) {
            InputObject object = profile.object(PROFILE_FIELDS);
            objects.add(object);
            model.addProfiles(profile(object));
        }
        return build(model, entry, fields, list, objects);
    }

    private Optional<DeviceModel> build(
            DeviceModel.Builder model,
            InputField entry,
            InputObject fields,
            List<InputField> list,
            List<InputObject> objects) {
        try {
            return Optional.of(model.build());
        } catch (CatalogueException e) {
            boolean unitsKnown =
                    fields.get("memoryUnits").filter(field -> !field.hasError()).isPresent();
            for (ModelChecks.Issue issue : e.issues()) {
                boolean follows = issue.field().equals("starts") && !unitsKnown;
                InputObject owner = issue.profile() < 0 ? fields : objects.get(issue.profile());
                Optional<InputField> field = owner.get(issue.field());
                if (field.isEmpty() && !REQUIRED.contains(issue.field())) {
                    (issue.profile() < 0 ? entry : list.get(issue.profile()))
                            .error(issue.field() + ": " + issue.what());
                }
                field.filter(wrong -> !follows && !wrong.hasError()).ifPresent(wrong -> wrong.error(issue.what()));
            }
            return Optional.empty();
        }
    }

    private List<String> sources(InputObject fields) {
        List<String> named = new ArrayList<>();
        for (InputField field : fields.list("sources")) {
            String name = field.string();
            named.add(name);
            sources.filter(known -> !known.contains(name))
                    .ifPresent(known -> field.error(
                            "\"" + name + "\" is not in sources at the top" + Suggestions.hint(name, known)));
        }
        return named;
    }

    private static SliceProfile profile(InputObject fields) {
        int size = fields.integer("size");
        List<InputField> starts =
                fields.required("starts").map(InputField::list).orElse(List.of());
        List<Integer> firsts = new ArrayList<>();
        for (InputField field : starts) {
            int start = field.integer();
            if (firsts.contains(start)) {
                field.error("start " + start + " is listed twice");
            } else {
                firsts.add(start);
            }
        }
        int most = fields.integer("maxInstances");
        int disjoint = disjoint(firsts, size);
        if (size > 0 && most > disjoint && disjoint > 0) {
            fields.get("maxInstances")
                    .ifPresent(field -> field.error(most + " instances of size " + size + " at starts " + firsts
                            + " overlap; at most " + disjoint + " fit on a device"));
        }
        SliceProfile.Builder profile = SliceProfile.builder()
                .name(fields.string("name"))
                .aliases(fields.strings("aliases"))
                .size(size)
                .starts(firsts)
                .maxInstances(most)
                .computeSlices(fields.integer("computeSlices", 0))
                .engines(fields.counts("engines"))
                .mode(fields.string("mode", ""))
                .limitClass(fields.string("limitClass", ""));
        fields.get("nvmlProfileEnum").ifPresent(field -> profile.nvmlProfileEnum(field.integer()));
        fields.get("giProfileId").ifPresent(field -> profile.giProfileId(field.integer()));
        fields.get("multiprocessors").ifPresent(field -> profile.multiprocessors(field.integer()));
        fields.get("copyEngines").ifPresent(field -> profile.copyEngines(field.integer()));
        fields.get("memoryGiB").ifPresent(field -> profile.memoryGiB(field.number()));
        return profile.build();
    }

    /** Most windows of one size that do not overlap; greedy by start is optimal for windows of equal size. */
    private static int disjoint(List<Integer> starts, int size) {
        int count = 0;
        int end = 0;
        for (int start : new TreeSet<>(starts)) {
            if (start >= end) {
                count++;
                end = start + size;
            }
        }
        return count;
    }
}
