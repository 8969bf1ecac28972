package dev.sro.core.slicing.mig;

import dev.sro.core.slicing.catalogue.PciId;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputField;
import dev.sro.core.slicing.input.InputObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads a mig-parted configuration file. */
final class MigConfigReader {
    private static final Pattern PROFILE = Pattern.compile("([1-9][0-9]*c\\.)?[1-9][0-9]*g\\.[0-9]+gb([+-][a-z.]+)*");

    private MigConfigReader() {}

    static MigConfig read(InputDocument document) {
        InputObject file = document.root().object("version", "mig-configs");
        file.required("version").ifPresent(field -> {
            String version = field.string();
            if (!version.equals(MigConfig.VERSION)) {
                field.error("\"" + version + "\" is not a version that can be read; it must be " + MigConfig.VERSION);
            }
        });
        Map<String, List<MigEntry>> configs = new LinkedHashMap<>();
        file.required("mig-configs")
                .map(InputField::fields)
                .orElse(Map.of())
                .forEach((name, list) -> configs.put(
                        name, list.list().stream().map(MigConfigReader::entry).toList()));
        document.check();
        return new MigConfig(configs);
    }

    private static MigEntry entry(InputField field) {
        InputObject fields = field.object("device-filter", "devices", "mig-enabled", "mig-devices");
        boolean enabled = fields.required("mig-enabled").map(InputField::bool).orElse(false);
        Map<String, Integer> wanted = new LinkedHashMap<>();
        fields.get("mig-devices").map(InputField::fields).orElse(Map.of()).forEach((profile, count) -> {
            if (!PROFILE.matcher(profile).matches()) {
                count.error("\"" + profile + "\" is not a profile, such as 1g.10gb, 1g.10gb+me or 1c.3g.40gb");
            }
            int number = count.integer();
            if (number < 0) {
                count.error(number + " is negative");
            }
            wanted.put(profile, number);
        });
        if (!enabled && wanted.values().stream().anyMatch(count -> count > 0)) {
            fields.get("mig-devices")
                    .filter(devices -> fields.get("mig-enabled")
                            .filter(mode -> !mode.hasError())
                            .isPresent())
                    .ifPresent(devices -> devices.error("must be empty where mig-enabled is false"));
        }
        return new MigEntry(filter(fields), devices(fields), enabled, wanted);
    }

    private static List<String> filter(InputObject fields) {
        Optional<InputField> field = fields.get("device-filter");
        List<InputField> items = field.filter(InputField::isList)
                .map(InputField::list)
                .orElse(field.map(List::of).orElse(List.of()));
        List<String> filter = new ArrayList<>();
        for (InputField item : items) {
            String id = item.string();
            if (!id.isEmpty() && PciId.parse(id).isEmpty()) {
                item.error("\"" + id + "\" is not a PCI id, such as \"0x20B010DE\"");
            }
            filter.add(id);
        }
        return filter;
    }

    private static Optional<List<Integer>> devices(InputObject fields) {
        Optional<InputField> field = fields.required("devices");
        if (field.filter(InputField::isString).isPresent()) {
            InputField all = field.get();
            if (!all.string().equals("all")) {
                all.error("must be all or a list of indexes, not \"" + all.string() + "\"");
            }
            return Optional.empty();
        }
        return field.map(list -> {
            List<Integer> indexes = new ArrayList<>();
            for (InputField item : list.list()) {
                int index = item.integer();
                if (index < 0 || indexes.contains(index)) {
                    item.error(index + (index < 0 ? " is negative" : " is listed twice"));
                }
                indexes.add(index);
            }
            return indexes;
        });
    }
}
