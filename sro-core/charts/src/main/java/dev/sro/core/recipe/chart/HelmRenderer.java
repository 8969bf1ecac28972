package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import dev.sro.core.model.FileErrors;
import dev.sro.core.yaml.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Renders with Helm itself, out of helm-java, in a process of its own that is started with the first chart, ends when it is
 * idle or fails, and is then started again; where helm-java has no library for the machine, with the command {@code helm}, to the
 * same result. Of this process's environment it has nothing but the time zone. One chart is rendered at a time; thread-safe. Starts no
 * thread.
 */
public final class HelmRenderer implements ManifestRenderer, AutoCloseable {

    /** More charts than one operator has recipes. */
    private static final int MAX_READS = 64;

    private final HelmRendererConfig config;
    private @Nullable WorkFiles files;
    private @Nullable HelmEngine process;
    private int written;
    private final Map<String, ValueReads> reads = new HashMap<>();

    /** With the defaults. */
    public HelmRenderer() {
        this(HelmRendererConfig.DEFAULT);
    }

    /**
     * @param config limits and places
     */
    public HelmRenderer(HelmRendererConfig config) {
        this.config = config;
    }

    /** How an archive of a chart is made. */
    private interface Packing {
        byte[] pack(Chart chart, Set<String> apiVersions, RenderArchive.Omitted omitted, RenderArchive.Answer answer);
    }

    @Override
    public synchronized RenderedChart render(RenderRequest request) {
        RenderArchive.Omitted omitted = new RenderArchive.Omitted(new TreeSet<>(), new TreeSet<>());
        SortedMap<String, Problem> problems = new TreeMap<>();
        while (true) {
            try {
                return result(request, ask(request, omitted, RenderArchive::telling), problems);
            } catch (HelmProcess.HelmException e) {
                leaveOut(request, omitted, problems, explained(request, omitted, String.valueOf(e.getMessage())));
            } catch (HelmProcess.EndedException e) {
                throw new ChartException(HelmErrors.ofProcess(request.chart(), e, config), e);
            }
        }
    }

    /** Helm's own words, for the chart as it is. */
    private String explained(RenderRequest request, RenderArchive.Omitted omitted, String message) {
        if (!HelmErrors.isOfTemplates(message)) {
            return message;
        }
        try {
            ask(request, omitted, (chart, versions, left, unused) -> RenderArchive.plain(chart, versions, left));
            return message;
        } catch (HelmProcess.HelmException e) {
            return HelmErrors.isOfTemplates(String.valueOf(e.getMessage())) ? String.valueOf(e.getMessage()) : message;
        } catch (HelmProcess.EndedException e) {
            return message;
        }
    }

    /** One file less in each round; ends when none is left, or when what is wrong concerns all. */
    private static void leaveOut(
            RenderRequest request, RenderArchive.Omitted omitted, SortedMap<String, Problem> problems, String message) {
        Optional<String> unparsable = HelmErrors.unparsable(message);
        Optional<String> guilty = unparsable.or(() -> HelmErrors.failed(message));
        boolean known = guilty.isPresent()
                && !Decomposition.isShared(guilty.get())
                && !problems.containsKey(guilty.get())
                && guilty.get().startsWith(request.chart().name() + "/")
                && !Decomposition.isNotes(guilty.get());
        if (!known) {
            throw new ChartException(HelmErrors.ofChart(request.chart(), message));
        }
        problems.put(guilty.get(), HelmErrors.ofFile(request.chart(), message));
        (unparsable.isPresent() ? omitted.unparsable() : omitted.failed()).add(guilty.get());
    }

    private RenderedChart result(RenderRequest request, String answer, SortedMap<String, Problem> problems) {
        Map<?, ?> tree = (Map<?, ?>) Objects.requireNonNull(
                Json.read(new String(Base64.getDecoder().decode(answer), StandardCharsets.UTF_8)));
        SortedMap<String, String> texts = new TreeMap<>();
        // Go writes this for what is missing, and Helm takes it out.
        ((Map<?, ?>) Objects.requireNonNull(tree.get("texts")))
                .forEach((path, text) -> texts.put((String) path, ((String) text).replace("<no value>", "")));
        Set<String> active = ((List<?>) Objects.requireNonNull(tree.get("charts")))
                .stream().map(String::valueOf).collect(Collectors.toSet());
        UndefinedValues undefined =
                UndefinedValues.of(request.chart(), reads(request.chart()), request.values(), texts.keySet());
        if (request.strict()) {
            undefined.problems(request.chart()).forEach((path, problem) -> {
                texts.remove(path);
                problems.put(path, problem);
            });
        }
        return new RenderedChart(
                texts,
                problems,
                new TreeMap<>(RenderArchive.crds(request.chart(), active)),
                warnings(request, undefined));
    }

    private static List<String> warnings(RenderRequest request, UndefinedValues undefined) {
        List<String> warnings = new ArrayList<>(undefined.warnings());
        if (ApiVersions.isIn(request.values())
                || ApiVersions.isIn(request.chart().values())) {
            warnings.add(
                    "a value has a template with .Capabilities.APIVersions in it; in there it is what Helm knows and"
                            + " not what the cluster serves");
        }
        return warnings;
    }

    private ValueReads reads(Chart chart) {
        if (reads.size() >= MAX_READS) {
            reads.clear();
        }
        return reads.computeIfAbsent(chart.digest(), digest -> ValueReads.of(chart));
    }

    private String ask(RenderRequest request, RenderArchive.Omitted omitted, Packing packing)
            throws HelmProcess.HelmException, HelmProcess.EndedException {
        try {
            HelmEngine running = running();
            Path folder = work().path();
            Path archive = folder.resolve("chart-" + written + ".tgz");
            Path values = folder.resolve("values-" + written + ".yaml");
            written++;
            StringBuilder text = new StringBuilder();
            Json.write(request.values(), text);
            Files.write(
                    archive, packing.pack(request.chart(), request.cluster().apiVersions(), omitted, running.answer()));
            Files.writeString(values, text);
            try {
                return running.ask(
                        archive, values, request.release(), request.cluster().kubeVersion());
            } catch (HelmProcess.EndedException e) {
                if (e.status() != HelmWorker.IDLE) {
                    throw e;
                }
                // It went idle just when it was asked.
                return running()
                        .ask(
                                archive,
                                values,
                                request.release(),
                                request.cluster().kubeVersion());
            } finally {
                Files.deleteIfExists(archive);
                Files.deleteIfExists(values);
            }
        } catch (IOException e) {
            throw new ChartException(
                    Problem.platform(
                            "RendererNotStarted",
                            "chart " + request.chart().label()
                                    + ": the process with Helm cannot be started or given the chart: "
                                    + FileErrors.text(e)
                                    + "; it needs a writable directory with 150 MB"),
                    e);
        }
    }

    private HelmEngine running() throws IOException {
        HelmEngine now = process;
        if (now != null && now.isAlive() && now.asked() < config.renders()) {
            return now;
        }
        if (now != null) {
            now.close();
        }
        process = null;
        HelmEngine started = started();
        process = started;
        return started;
    }

    private HelmEngine started() throws IOException {
        Path directory = work().fresh();
        if (config.command().isPresent()) {
            return HelmCommand.of(config.command().get(), directory, config);
        }
        String classPath;
        try {
            classPath = HelmClassPath.find(config.classPath(), directory);
        } catch (ChartException e) {
            Path found = HelmCommand.find(config.path()).orElseThrow(() -> e);
            return HelmCommand.of(found, directory, config);
        }
        return HelmProcess.start(classPath, directory, config);
    }

    private WorkFiles work() throws IOException {
        WorkFiles work = files;
        if (work == null) {
            work = WorkFiles.open(config.directory());
            files = work;
        }
        return work;
    }

    /** Ends the process and deletes its files. */
    @Override
    public synchronized void close() {
        if (process != null) {
            process.close();
            process = null;
        }
        if (files != null) {
            try {
                files.close();
            } catch (IOException e) {
                // What stays behind is deleted by the next one.
                return;
            } finally {
                files = null;
            }
        }
    }
}
