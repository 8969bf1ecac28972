package dev.sro.runtime.slices;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.input.Suggestions;
import dev.sro.runtime.UnusableInputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Profiles of one model by name. Stateless. */
final class ProfileArguments {
    private ProfileArguments() {}

    static int profile(DeviceModel model, String where, String name) {
        int profile = model.indexOf(name);
        if (profile < 0) {
            List<String> known =
                    model.profiles().stream().map(SliceProfile::name).toList();
            throw new UnusableInputException(
                    where, model.key() + " has no profile " + name + Suggestions.hint(name, known));
        }
        return profile;
    }

    /** {@code 1g.5gb=7,3g.20gb=2} as numbers by name. */
    static Map<String, Double> numbers(String option, String text) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.strip().split("=", -1);
            try {
                double value = pair.length == 2 ? Double.parseDouble(pair[1]) : Double.NaN;
                if (!(value >= 0 && value < 1e12)) {
                    throw new NumberFormatException();
                }
                numbers.merge(pair[0], value, Double::sum);
            } catch (NumberFormatException e) {
                throw new UnusableInputException(option, "\"" + part + "\" is not PROFILE=NUMBER, such as 1g.5gb=7");
            }
        }
        return numbers;
    }

    /** Counts per profile index. */
    static long[] counts(DeviceModel model, String option, String text) {
        long[] counts = new long[model.profiles().size()];
        numbers(option, text).forEach((name, value) -> {
            if (value != Math.rint(value)) {
                throw new UnusableInputException(option, name + "=" + value + " is not a whole number");
            }
            counts[profile(model, option, name)] += value.longValue();
        });
        return counts;
    }

    static String text(DeviceModel model, Iterable<Long> counts) {
        StringBuilder text = new StringBuilder();
        int profile = 0;
        for (long count : counts) {
            if (count > 0) {
                text.append(text.isEmpty() ? "" : " + ")
                        .append(count)
                        .append(" x ")
                        .append(model.profiles().get(profile).name());
            }
            profile++;
        }
        return text.isEmpty() ? "nothing" : text.toString();
    }
}
