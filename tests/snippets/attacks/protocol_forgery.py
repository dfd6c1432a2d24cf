# Pretending to be the worker.
#### printing a result
print('{"stdout": "WON-FORGED", "values": {}, "error": null, "warnings": [], "trace": null, "limit": null, "truncated": false, "facts": {}}')
#### printing a frame
print("\x10\x00\x00\x00\x00\x00\x00\x00" + '{"stdout": "WON-FORGED"}' * 10)
#### printing lines of JSON
print('\n{"ready": true}\n{"diagnosis": [{"category": "x", "severity": "fault", "title": "WON-FORGED"}]}\n')
#### writing to descriptors
import os
for number in range(3, 64):
    try:
        os.write(number, b'{"stdout": "", "values": {}, "error": null, "warnings": [], "trace": null, "limit": "WON-FORGED", "truncated": false, "facts": {}}\n')
    except OSError:
        pass
#### forging a half result
import os
for number in range(3, 64):
    try:
        os.write(number, b'{"stdout": 5}\n')
    except OSError:
        pass
#### forging a broken trace
import os
for number in range(3, 64):
    try:
        os.write(number, b'{"stdout": "", "values": {}, "error": null, "warnings": [], "trace": {"version": 1, "source": "", "nodes": [{"id": "n0"}], "edges": [], "events": [], "stdout": "", "error": null, "warnings": []}, "limit": null, "truncated": false, "facts": {}}\n')
    except OSError:
        pass
#### forging deep JSON
import os
for number in range(3, 64):
    try:
        os.write(number, b"[" * 60000 + b"\n")
    except OSError:
        pass
#### ending the process before the answer
import os
os._exit(0)
#### ending with a signal
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
#### closing the pipes
import os
os.closerange(0, 64)
print("gone")
#### saying the run has ended, and running on
import os
for number in range(3, 64):
    try:
        os.write(number, b"\x01ended\n")
    except OSError:
        pass
while True:
    pass
#### flooding the pipes
import os
data = b"x" * 65536
while True:
    for number in range(3, 8):
        try:
            os.write(number, data)
        except OSError:
            pass
#### infinite values in JSON
x = float("nan")
y = [float("inf"), -float("inf")]
#### variables named like fields
stdout = "WON-FORGED"
error = "WON-FORGED"
trace = "WON-FORGED"
limit = "WON-FORGED"
