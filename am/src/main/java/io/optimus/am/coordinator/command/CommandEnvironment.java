package io.optimus.am.coordinator.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.job.CommandSpec;
import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The environment variables by which commands find each other: those of PyTorch, TensorFlow, TonY and ps-lite. {@code
 * docs/job-file.md} lists them.
 *
 * <p>Example: of two workers on hosts a and b, the second gets RANK=1, WORLD_SIZE=2 and MASTER_ADDR=a.
 */
final class CommandEnvironment {
    /** A worker that leaves breaks a step of the others, which torchrun counts as a failure of theirs. */
    private static final String MAX_RESTARTS = "10";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final CommandSettings settings;
    private final CommandSpec commands;
    private final MembershipNumber number;
    private final ReservedAddress first;
    private final List<ReservedAddress> workers = new ArrayList<>();
    private final List<ReservedAddress> servers = new ArrayList<>();

    /**
     * The environment of a membership.
     *
     * @param first the address of the member at which the others meet
     * @param members all tasks, in the order of their names
     */
    CommandEnvironment(
            CommandSettings settings, MembershipNumber number, ReservedAddress first, List<ReservedAddress> members) {
        this.settings = settings;
        this.commands = settings.commands();
        this.number = number;
        this.first = first;
        for (ReservedAddress member : members) {
            (member.task().role() == Role.WORKER ? workers : servers).add(member);
        }
    }

    /** The variables of one task. */
    Map<String, String> of(TaskId task) {
        boolean worker = task.role() == Role.WORKER;
        int rank = indexOf(task, worker ? workers : servers);
        boolean chief = commands.chief() && worker && rank == 0;
        String name = chief ? "chief" : worker ? "worker" : "ps";
        int index = commands.chief() && worker && !chief ? rank - 1 : rank;
        Map<String, String> variables = new TreeMap<>();
        variables.put("OPTIMUS_MEMBERSHIP", number.toString());
        if (!commands.checkpointFolder().isEmpty()) {
            variables.put("OPTIMUS_CHECKPOINT_DIR", commands.checkpointFolderOf(settings.applicationId()));
        }
        if (commands.elastic() == Elasticity.TORCHRUN) {
            putTorchrun(variables, task.equals(first.task()));
            return variables;
        }
        putTony(variables, name, index);
        putPsLite(variables, worker);
        if (worker) {
            putPyTorch(variables, rank);
        }
        return variables;
    }

    private static int indexOf(TaskId task, List<ReservedAddress> among) {
        return among.stream().map(ReservedAddress::task).toList().indexOf(task);
    }

    /** Every task has one process; its container's GPUs are the only ones that it sees. */
    private void putPyTorch(Map<String, String> variables, int rank) {
        variables.put("RANK", String.valueOf(rank));
        variables.put("WORLD_SIZE", String.valueOf(workers.size()));
        variables.put("LOCAL_RANK", "0");
        variables.put("LOCAL_WORLD_SIZE", "1");
        variables.put("NODE_RANK", String.valueOf(rank));
        variables.put("MASTER_ADDR", first.host());
        variables.put("MASTER_PORT", String.valueOf(first.port()));
        variables.put("INIT_METHOD", "tcp://" + first.hostAndPort());
        variables.put("WORLD", String.valueOf(workers.size()));
    }

    private void putTony(Map<String, String> variables, String name, int index) {
        Map<String, List<String>> cluster = cluster();
        variables.put("JOB_NAME", name);
        variables.put("TASK_INDEX", String.valueOf(index));
        variables.put(
                "TASK_NUM", String.valueOf(cluster.getOrDefault(name, List.of()).size()));
        variables.put("CLUSTER_SPEC", json(cluster));
        Map<String, Object> tensorFlow = new LinkedHashMap<>();
        tensorFlow.put("cluster", cluster);
        Map<String, Object> task = new LinkedHashMap<>();
        task.put("type", name);
        task.put("index", index);
        tensorFlow.put("task", task);
        variables.put("TF_CONFIG", json(tensorFlow));
    }

    private Map<String, List<String>> cluster() {
        Map<String, List<String>> cluster = new LinkedHashMap<>();
        List<String> addresses =
                workers.stream().map(ReservedAddress::hostAndPort).toList();
        if (commands.chief()) {
            cluster.put("chief", addresses.subList(0, 1));
            addresses = addresses.subList(1, addresses.size());
        }
        if (!addresses.isEmpty()) {
            cluster.put("worker", addresses);
        }
        if (!servers.isEmpty()) {
            cluster.put("ps", servers.stream().map(ReservedAddress::hostAndPort).toList());
        }
        return cluster;
    }

    private void putPsLite(Map<String, String> variables, boolean worker) {
        variables.put("DMLC_ROLE", worker ? "worker" : "server");
        variables.put("DMLC_PS_ROOT_URI", first.host());
        variables.put("DMLC_PS_ROOT_PORT", String.valueOf(first.port()));
        variables.put("DMLC_NUM_SERVER", String.valueOf(servers.size()));
        variables.put("DMLC_NUM_WORKER", String.valueOf(workers.size()));
    }

    /** Torchrun reads its options from these; it gives its processes their ranks itself. */
    private void putTorchrun(Map<String, String> variables, boolean hostsStore) {
        int fewest = settings.sizes().minimum().workers();
        int most = settings.sizes().maximum().workers();
        variables.put("PET_NNODES", fewest + ":" + most);
        variables.put("PET_RDZV_BACKEND", "c10d");
        variables.put("PET_RDZV_ENDPOINT", first.hostAndPort());
        variables.put("PET_RDZV_ID", settings.applicationId());
        variables.put("PET_MAX_RESTARTS", MAX_RESTARTS);
        // Since PyTorch 2.4, torchrun tells the address of its shared store in the first round only. Whoever joins a
        // later one waits for it in vain.
        variables.put("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1");
        variables.put("PET_RDZV_CONF", "is_host=" + (hostsStore ? "1" : "0") + ",last_call_timeout=5,join_timeout=600");
    }

    private static String json(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Lists of addresses cannot fail to be written", e);
        }
    }
}
